module example.com/packcheck

go 1.18
