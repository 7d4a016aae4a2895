# What is installed beside programs and libraries, and how all of it becomes a Debian package:
#
#   cmake --build --preset release && cpack --config build/release/CPackConfig.cmake
include(GNUInstallDirs)
set(folder "${PROJECT_BINARY_DIR}/package")
set(package "${PROJECT_SOURCE_DIR}/resources/package")
set(desktop "${PROJECT_SOURCE_DIR}/resources/desktop")
set(documents "${CMAKE_INSTALL_DATADIR}/doc/collscope")

# There is nobody to write to: the address is of the domain that is kept for examples.
set(CPACK_DEBIAN_PACKAGE_MAINTAINER "The Collscope authors <collscope@example.org>")
set(CPACK_DEBIAN_PACKAGE_RELEASE 1)

# Desktops find the program, its picture and what it opens.
install(FILES "${desktop}/collscope.desktop" DESTINATION "${CMAKE_INSTALL_DATADIR}/applications")
install(FILES "${desktop}/collscope.svg" DESTINATION "${CMAKE_INSTALL_DATADIR}/icons/hicolor/scalable/apps")
install(FILES "${desktop}/collscope-mime.xml" DESTINATION "${CMAKE_INSTALL_DATADIR}/mime/packages"
        RENAME collscope.xml)

# Readers find the manual, shells what to complete. Rules of one folder are carried out in their order.
configure_file("${package}/changelog.in" "${folder}/changelog.Debian" @ONLY)
configure_file("${PROJECT_SOURCE_DIR}/resources/changelog.md" "${folder}/changelog" COPYONLY)
install(CODE "set(program \"$<TARGET_FILE:collscope>\")\nset(folder \"${folder}\")")
install(SCRIPT "${CMAKE_CURRENT_LIST_DIR}/generated_files.cmake")
install(FILES "${folder}/collscope.1.gz" DESTINATION "${CMAKE_INSTALL_MANDIR}/man1")
install(FILES "${folder}/collscope.bash" DESTINATION "${CMAKE_INSTALL_DATADIR}/bash-completion/completions" RENAME collscope)
install(FILES "${folder}/changelog.gz" "${folder}/changelog.Debian.gz" "${package}/copyright" DESTINATION "${documents}")
install(FILES "${package}/overrides" DESTINATION "${CMAKE_INSTALL_DATADIR}/lintian/overrides" RENAME collscope)
# The programs of live runs are told of on the same page.
foreach(mpi IN LISTS collscope_mpis)
  string(REPLACE "_" "-" name "collscope-${mpi}")
  file(CREATE_LINK collscope.1.gz "${folder}/${name}.1.gz" SYMBOLIC)
  install(FILES "${folder}/${name}.1.gz" DESTINATION "${CMAKE_INSTALL_MANDIR}/man1")
endforeach()

set(CPACK_GENERATOR DEB)
set(CPACK_PACKAGE_VENDOR "The Collscope authors")
set(CPACK_PACKAGE_DESCRIPTION_SUMMARY "shows what collective communication really does")
set(CPACK_PACKAGE_DESCRIPTION_FILE "${package}/description")
set(CPACK_PACKAGING_INSTALL_PREFIX /usr)
set(CPACK_STRIP_FILES ON)
set(CPACK_INSTALL_DEFAULT_DIRECTORY_PERMISSIONS OWNER_READ OWNER_WRITE OWNER_EXECUTE GROUP_READ GROUP_EXECUTE WORLD_READ
                                                WORLD_EXECUTE)
set(CPACK_DEBIAN_FILE_NAME DEB-DEFAULT)
set(CPACK_DEBIAN_PACKAGE_SECTION science)
set(CPACK_DEBIAN_PACKAGE_PRIORITY optional)
set(CPACK_DEBIAN_PACKAGE_CONTROL_STRICT_PERMISSION ON)
# Libraries are those that the programs are linked with; the rest is used if it is there. Without a font all text in
# pictures is boxes.
set(CPACK_DEBIAN_PACKAGE_SHLIBDEPS ON)
set(CPACK_DEBIAN_PACKAGE_DEPENDS fonts-dejavu-core)
set(CPACK_DEBIAN_PACKAGE_SUGGESTS "ffmpeg, iproute2")
if(mpi IN_LIST collscope_mpis)
  set(CPACK_DEBIAN_PACKAGE_RECOMMENDS openmpi-bin)
endif()
include(CPack)
