import { carrierOfAsk, carrierOfLink, FORWARDER, type Link, type Party } from './parties.ts'

/**
 * One kind of subject. An ask is a link from the asking to the asked party. The permissions of the NATS servers are made
 * from this table, so a subject that is not in it is refused by every server.
 */
interface SubjectKind {
  /** The two parties, in the order in which the subject names them. */
  readonly order: 'source.target' | 'target.source'
  /** The region whose NATS carries it. */
  at(link: Link): Party
  readonly speaker: keyof Link
  /** Null: a stream takes it, and no party may subscribe. */
  readonly listener: keyof Link | null
  /** The listener answers into the inbox of the speaker. */
  readonly isAnswered: boolean
}

const LINKED = { order: 'source.target', at: carrierOfLink, isAnswered: false } as const
const ASKED = { order: 'target.source', at: carrierOfAsk, isAnswered: true } as const

const KINDS = {
  tell: { ...LINKED, speaker: 'source', listener: null },
  /** From the target back to the source. */
  notice: { ...LINKED, speaker: 'target', listener: 'source' },
  /** Wakes the relay in another process of the same party: there is something to send. */
  wake: { ...LINKED, speaker: 'source', listener: 'source' },
  ask: { ...ASKED, speaker: 'source', listener: 'target' },
  /** Between the buses themselves. */
  sync: { ...ASKED, speaker: 'source', listener: 'target' },
} as const satisfies Record<string, SubjectKind>

export type SubjectName = keyof typeof KINDS

/** All begin with `sealpost`, and name both parties, so that NATS permissions can restrict a party to its own name. */
export function subjectOf(name: SubjectName, { source, target }: Link): string {
  const parties = KINDS[name].order === 'source.target' ? [source, target] : [target, source]
  return ['sealpost', name, ...parties].join('.')
}

/** Who may use a subject, and where. */
export interface SubjectUse {
  readonly name: SubjectName
  readonly subject: string
  readonly at: Party
  readonly speaker: Party
  readonly listener: Party | null
  readonly isAnswered: boolean
}

/** Every subject between two parties. The forwarder only asks. */
export function subjectsOf(link: Link): readonly SubjectUse[] {
  const kinds = Object.entries(KINDS).filter(([name]) => link.source !== FORWARDER || name === 'ask')
  return kinds.map(([name, { at, speaker, listener, isAnswered }]) => ({
    // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- a key of the table
    name: name as SubjectName,
    // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- a key of the table
    subject: subjectOf(name as SubjectName, link),
    at: at(link),
    speaker: link[speaker],
    listener: listener === null ? null : link[listener],
    isAnswered,
  }))
}

/** Replies to a party's requests arrive under its own prefix: no other party may subscribe there. */
export function inboxPrefix(party: Party): string {
  return `_INBOX.${party}`
}
