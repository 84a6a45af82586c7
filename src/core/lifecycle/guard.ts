/** Whether a transition fits. `now` is epoch ms. */
export type Guard<State, Event> = (state: State, now: number, event: Event) => boolean;

// Loops instead of `every` and `some`, which make a function for each guard and each event.

export const all =
  <State, Event>(...guards: Guard<State, Event>[]): Guard<State, Event> =>
  (state, now, event) => {
    for (const holds of guards) if (!holds(state, now, event)) return false;
    return true;
  };

export const any =
  <State, Event>(...guards: Guard<State, Event>[]): Guard<State, Event> =>
  (state, now, event) => {
    for (const holds of guards) if (holds(state, now, event)) return true;
    return false;
  };

export const not =
  <State, Event>(guard: Guard<State, Event>): Guard<State, Event> =>
  (state, now, event) =>
    !guard(state, now, event);
