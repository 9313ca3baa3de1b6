"""The city-council demonstration: ordinary agents read captions, make claims about them and check each other."""
