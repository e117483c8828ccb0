# core: plain
$ ompdb stack --raw
$ ompdb stack --raw --exe /nonexistent TARGET
