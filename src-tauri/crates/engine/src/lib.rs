//! L1: agents, the context, the one writer, effects, budgets; and the ports.
