/** One call that changes a run, or brings a file for one. */
export type Act =
  | 'start'
  | 'ask'
  | 'tell'
  | 'tellMore'
  | 'uploadForOwner'
  | 'uploadForCustomer'
  | 'uploadForPartner'
  | 'prove'
  | 'confirm'
  | 'cancelByOwner'
  | 'cancelByCustomer'
  | 'cancelByPartner'

/** Acts that are sent at the same time. */
export type Step = readonly Act[]

const UPLOADS: Step = ['uploadForOwner', 'uploadForCustomer', 'uploadForPartner']

/** What happens to a run. The last step of each leaves it as the name says. */
export const SCRIPTS = {
  completed: [['start'], ['ask'], ['tell'], ['confirm']],
  proven: [['start'], ['ask'], ['tellMore'], UPLOADS, ['prove'], ['confirm']],
  withdrawn: [['start'], ['ask'], ['tellMore'], UPLOADS, ['cancelByCustomer']],
  declined: [['start'], ['ask'], ['tell'], ['cancelByPartner']],
  cancelled: [['start'], ['ask'], ['cancelByOwner']],
  /** The turn of the customer and a cancel at the same moment. */
  raced: [['start'], ['ask'], ['tell', 'cancelByOwner']],
  /** Two cancels at the same moment. */
  cancelledTwice: [['start'], ['ask'], ['tell'], ['cancelByOwner', 'cancelByPartner']],
  open: [['start'], ['ask'], ['tellMore'], UPLOADS, ['prove']],
} satisfies Readonly<Record<string, readonly Step[]>>

export type ScriptName = keyof typeof SCRIPTS

/** Waits at the step with the file, which is uploaded again and again and never named by an answer. */
export const WAITING: readonly Step[] = [['start'], ['ask'], ['tellMore']]

/** A run as the acknowledged calls imply it. */
export interface Expected {
  readonly status: string
  readonly node: string
  readonly cancelledBy: string | null
  /** Answered fields, in their order. */
  readonly answered: readonly Field[]
  /** Kinds of the events, in their order. */
  readonly events: readonly string[]
}

export type Field = 'amount' | 'nick' | 'proof' | 'reference'

type Change = Pick<Expected, 'status'> & { readonly node?: string; readonly field?: Field; readonly by?: string }

const CHANGES: Readonly<Record<Act, Change | null>> = {
  start: { status: 'awaiting_us', node: 'ask' },
  ask: { status: 'awaiting_customer', node: 'tell', field: 'amount' },
  tell: { status: 'awaiting_partner', node: 'confirm', field: 'nick' },
  tellMore: { status: 'awaiting_customer', node: 'prove', field: 'nick' },
  uploadForOwner: null,
  uploadForCustomer: null,
  uploadForPartner: null,
  prove: { status: 'awaiting_partner', node: 'confirm', field: 'proof' },
  confirm: { status: 'completed', field: 'reference' },
  cancelByOwner: { status: 'cancelled', by: 'us' },
  cancelByCustomer: { status: 'cancelled', by: 'customer' },
  cancelByPartner: { status: 'cancelled', by: 'partner' },
}

const NOTHING: Expected = { status: '', node: '', cancelledBy: null, answered: [], events: [] }

/** The state after these acts, in the order in which the company's region has taken them. */
export function expectedAfter(acts: readonly Act[]): Expected {
  return acts.reduce(applyAct, NOTHING)
}

function applyAct(before: Expected, act: Act): Expected {
  const change = CHANGES[act]
  if (change === null) return before
  const { status, node = before.node, field, by = null } = change
  return {
    status,
    node,
    cancelledBy: by,
    answered: field === undefined ? before.answered : [...before.answered, field],
    // Two steps of the same party in a row have one event.
    events: status === before.status ? before.events : [...before.events, eventOf(status)],
  }
}

function eventOf(status: string): string {
  if (status === 'completed' || status === 'cancelled') return `flow_${status}`
  return 'flow_run_turn'
}

/** Fields whose answers become values of the connection of their party once the run is completed. */
export const SHARED: readonly { readonly field: Field; readonly party: 'customer' | 'partner' }[] = [
  { field: 'nick', party: 'customer' },
  { field: 'proof', party: 'customer' },
  { field: 'reference', party: 'partner' },
]

const CANCELS: readonly Act[] = ['cancelByOwner', 'cancelByCustomer', 'cancelByPartner']

/** The refusal that an act meets when a cancel of the same step was first; null where it must be taken. */
export function refusalInRace(act: Act, step: Step): string | null {
  if (!step.some((other) => other !== act && CANCELS.includes(other))) return null
  return CANCELS.includes(act) ? 'flows.run_closed' : 'flows.run_not_awaiting'
}

/** Whether the taken acts of a step explain those that were refused: one cancel wins. */
export function isDecided(step: Step, taken: readonly Act[]): boolean {
  return step.length === taken.length || taken.filter((act) => CANCELS.includes(act)).length === 1
}
