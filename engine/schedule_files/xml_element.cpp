// SPDX-License-Identifier: BSD-3-Clause
#include "engine/schedule_files/xml_element.hpp"

#include "engine/base/nesting_depth.hpp"

#include <boost/property_tree/xml_parser.hpp>

#include <algorithm>
#include <array>
#include <charconv>
#include <sstream>

namespace engine::schedules {
namespace {

constexpr std::size_t mostXmlBytes = std::size_t{16} << 20;  // its reader takes many times as much
constexpr int mostLevels = 16;                               // it calls itself for each

/// What Boost's reader says, as a sentence that says what would be right.
std::string inSentence(const std::string& complaint) {
    constexpr std::array sentences{
        std::pair{"unexpected end of data", "the file ends within an element; it is cut off, or </algo> is missing"},
        std::pair{"expected =", "= and a value in quotes are missing after the name of an attribute"},
        std::pair{"expected ' or \"", "the value of an attribute must be in quotes"},
        std::pair{"expected >", "an element must end with > or /> before the next one begins"},
        std::pair{"expected <", "an element must begin with <"},
        std::pair{"expected ;", "a character written as &...; needs its semicolon; & itself is written &amp;"},
        std::pair{"expected ?>", "what begins with <?xml must end with ?>"},
        std::pair{"expected PI target", "xml is missing after <?"},
        std::pair{"expected attribute name", "a name is missing after <?xml, as in <?xml version=\"1.0\"?>"},
        std::pair{"expected element name", "the name of an element, such as gpu, tb or step, is missing after <"},
        std::pair{"invalid numeric character entity", "a character written as &#...; needs its number, as in &#65;"},
    };
    for (const auto& [boost, sentence] : sentences)
        if (complaint == boost) return sentence;
    return "this is no XML: " + complaint;
}

}  // namespace

XmlTree parsedXml(std::string_view content, std::string_view file) {
    if (content.size() > mostXmlBytes)
        throw Error{text(file, " has ", content.size(), " bytes; at most ", mostXmlBytes, " of XML are read")};
    if (nestingOfXml(content) > mostLevels)
        throw Error{text(file, " has elements in each other, more than ", mostLevels, " levels")};
    XmlTree tree;
    std::istringstream in{std::string{content}};
    try {
        namespace xml = boost::property_tree::xml_parser;
        xml::read_xml(in, tree, xml::no_comments | xml::trim_whitespace);
    } catch (const boost::property_tree::xml_parser_error& error) {
        throw Error{text(file, ':', error.line(), ": ", inSentence(error.message()))};
    }
    return tree;
}

std::string quoted(const std::string& words) {
    return text('"', words.size() > 60 ? words.substr(0, 60) + "..." : words, '"');
}

std::string XmlElement::words(const char* attribute) const {
    const XmlTree* value = find(attribute);
    if (value == nullptr) refuse('<', name_, "> needs ", attribute, "=\"...\"");
    std::string words = value->data();
    std::replace_if(
        words.begin(), words.end(), [](char c) { return static_cast<unsigned char>(c) < 0x20; }, ' ');
    return words;
}

std::int64_t XmlElement::number(const char* attribute, std::int64_t low, std::int64_t high) const {
    const std::string value = words(attribute);
    std::int64_t number = 0;
    const auto [rest, code] = std::from_chars(value.data(), value.data() + value.size(), number);
    if (code != std::errc{} || rest != value.data() + value.size() || number < low || number > high)
        refuse(attribute, " is ", quoted(value), ", but must be a whole number from ", low, " to ", high);
    return number;
}

}  // namespace engine::schedules
