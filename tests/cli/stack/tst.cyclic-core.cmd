# core: loop
$ ompdb stack --raw TARGET
