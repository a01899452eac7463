"""Action selection: state variables, rules, and a queue of goals for every member."""
