"""Groups that are moved by steering behaviors alone, or by goals and rules."""
