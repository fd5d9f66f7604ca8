import type { Words } from '../../words/en/index.ts'
import type { RunState } from '../../worker/commands/flows.ts'

/** How a run stands, in a few words. */
export function stateWords({ flows: { states } }: Words, state: RunState): string {
  switch (state.kind) {
    case 'your_turn':
    case 'make':
    case 'completed':
      return states[state.kind]
    case 'their_turn':
    case 'making':
    case 'signing':
      return states[state.kind](state.who)
    case 'sign':
      return state.act === 'sign' ? states.sign(state.name) : states.accept(state.name)
    case 'cancelled':
      return states.cancelled
  }
}

/** The same as a sentence that says what follows. */
export function stateLead({ flows: { leads } }: Words, state: RunState): string {
  switch (state.kind) {
    case 'your_turn':
    case 'make':
    case 'completed':
      return leads[state.kind]
    case 'their_turn':
    case 'making':
    case 'signing':
      return leads[state.kind](state.who)
    case 'sign':
      return state.act === 'sign' ? leads.sign(state.name) : leads.accept(state.name)
    case 'cancelled':
      if (state.isOwn) return leads.cancelledByYou
      return state.who === null ? leads.cancelled : leads.cancelledBy(state.who)
  }
}

/** Whether the person has something to do. */
export function isWaiting({ kind }: RunState): boolean {
  return kind === 'your_turn' || kind === 'make' || kind === 'sign'
}

export function isOver({ kind }: RunState): boolean {
  return kind === 'completed' || kind === 'cancelled'
}
