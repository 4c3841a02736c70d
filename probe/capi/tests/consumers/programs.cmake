# Adds the programs ask-c-NAME and ask-cpp-NAME, which are linked with the target `library`.
function(add_programs name library)
    foreach(language c cpp)
        add_executable(ask-${language}-${name} "${CMAKE_CURRENT_LIST_DIR}/../ask.${language}")
        target_link_libraries(ask-${language}-${name} PRIVATE ${library})
    endforeach()
endfunction()
