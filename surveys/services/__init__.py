"""What may be done, one function an act: `<entity>_<action>`, keyword-only."""
