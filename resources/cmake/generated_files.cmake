# Carried out while installing (package.cmake sets `program` and `folder`): the program writes its manual page and what
# shells complete, so that they are of the version that is installed.
execute_process(COMMAND "${program}" manual OUTPUT_FILE "${folder}/collscope.1" COMMAND_ERROR_IS_FATAL ANY)
execute_process(COMMAND "${program}" completion bash OUTPUT_FILE "${folder}/collscope.bash" COMMAND_ERROR_IS_FATAL ANY)
# Without name and time of the file: the same contents give the same package.
execute_process(COMMAND gzip -9nkf collscope.1 changelog changelog.Debian WORKING_DIRECTORY "${folder}"
                COMMAND_ERROR_IS_FATAL ANY)
