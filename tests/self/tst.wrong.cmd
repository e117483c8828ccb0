# core: plain
$ ompdb stack --raw TARGET
