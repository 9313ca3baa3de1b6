"""Options for Java of engines that tests start: what runs for minutes is not worth compiling twice."""

QUICK = ("-XX:TieredStopAtLevel=1", "-XX:+UseSerialGC")
