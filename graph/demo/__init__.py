"""The city-council demonstration: ordinary agents that read captions, make claims about them and check each other."""
