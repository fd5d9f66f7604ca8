import type { Account, Service } from '@sealpost/testkit'

export type Json = Readonly<Record<string, unknown>>

/** The answer to an act: its body, or the refusal. */
export type Outcome =
  | { readonly ok: true; readonly body: Json }
  | { readonly ok: false; readonly key: string; readonly status: number; readonly body: Json }

/** A customer of a service, who can be bound to parties. */
export interface Customer {
  readonly account: Account
  readonly connectionId: string
}

export interface AnswerFile {
  readonly slug: unknown
  readonly for_user_id: unknown
  readonly value: unknown
}

/** What a participant of a run can do. */
export interface ActorDoor {
  read(runId: string): Promise<Outcome>
  answer(runId: string, body: Json): Promise<Outcome>
  upload(runId: string, body: AnswerFile): Promise<Outcome>
  cancel(runId: string, reason: string | null): Promise<Outcome>
}

/** A way to the operations of two regions: the calls themselves, or the wire. */
export interface Door {
  /** The id of a flow with one published version. */
  publish(service: Service, definition: object): Promise<string>
  /** The id of a flow without a version. */
  draft(service: Service, definition: object): Promise<string>
  stage(service: Service, flowId: string, body: Json): Promise<Outcome>
  start(service: Service, flowId: string, trigger: Json): Promise<Outcome>
  owner(service: Service): ActorDoor
  customer(customer: Customer): ActorDoor
}

export function mustSucceed(outcome: Outcome): Json {
  if (outcome.ok) return outcome.body
  throw new Error(`refused: ${outcome.status} ${outcome.key} ${JSON.stringify(outcome.body)}`)
}
