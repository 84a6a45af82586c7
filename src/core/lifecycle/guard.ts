/** Whether a transition fits. `now` is epoch ms. */
export type Guard<State, Event> = (state: State, now: number, event: Event) => boolean;

export const all =
  <State, Event>(...guards: Guard<State, Event>[]): Guard<State, Event> =>
  (state, now, event) =>
    guards.every((holds) => holds(state, now, event));

export const any =
  <State, Event>(...guards: Guard<State, Event>[]): Guard<State, Event> =>
  (state, now, event) =>
    guards.some((holds) => holds(state, now, event));

export const not =
  <State, Event>(guard: Guard<State, Event>): Guard<State, Event> =>
  (state, now, event) =>
    !guard(state, now, event);
