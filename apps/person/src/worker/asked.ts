import type { CustomerAnswer, CustomerAnswers, FieldTypes, RequestedField, ShownField } from '@sealpost/sdk'
import { requireOpen } from '@sealpost/session/worker'
import { type FilledField, fittingFields } from './commands/fitting-fields.ts'
import type { OpenAccount, PersonContext } from './context.ts'
import { type TypeView, typeView } from './type-view.ts'

/** Something that a service asks for, and how it stands. */
export interface AskedView {
  readonly id: string
  readonly slug: string
  readonly label: string
  readonly type: TypeView
  /** One copy; otherwise every change follows. */
  readonly isOneTime: boolean
  readonly isNeeded: boolean
  readonly wantsVerified: boolean
  /** Something typed would not do: only a value that was verified before. */
  readonly isFromDataOnly?: boolean
  /** Where nothing that is verified fits: the own field that would, after it was verified. */
  readonly toVerify?: string | null
  /** Own fields that hold something of this kind, the likeliest first. */
  readonly fits: readonly string[]
  /** The one that is surely meant, by its name or because no other is of this kind; null if none is. */
  readonly suggested: string | null
  readonly given: GivenView | null
  readonly isPending: boolean
  readonly isDeclined: boolean
}

export interface GivenView {
  readonly isLive: boolean
  /** Null for a value that was typed for this service alone. */
  readonly fieldId: string | null
  /** What was typed for this service alone; null where no device of the account has kept it. */
  readonly typed: string | null
  readonly since: string
}

/** An answer to what a service asks: a field of the own data, or a value for this service alone. */
export type AnswerWish = { readonly fieldId: string } | { readonly text: string }
export type AnswerWishes = Readonly<Record<string, AnswerWish>>

export function answersOf(wishes: AnswerWishes): CustomerAnswers {
  return Object.fromEntries(Object.entries(wishes).map(([slug, wish]) => [slug, answerOf(wish)]))
}

export function answerOf(wish: AnswerWish): CustomerAnswer {
  return 'fieldId' in wish ? { from: wish.fieldId } : { value: wish.text }
}

/** What the page has shown of it: the SDK seals nothing if something else is asked now. */
export function shownFields(asked: readonly AskedView[]): readonly ShownField[] {
  return asked.map(({ id, slug, label, type, isOneTime }) => ({
    id,
    slug,
    label,
    type: type.type,
    one_time: isOneTime,
  }))
}

/** The types of the registry, and the own fields that hold a value. */
export interface Fitting {
  readonly types: FieldTypes
  readonly filled: readonly FilledField[]
}

export async function fieldsByFit(context: PersonContext): Promise<Fitting> {
  const { client }: OpenAccount = requireOpen(context)
  const filled: FilledField[] = []
  for await (const { field_id: id, type, slug, label } of client.contactData.list())
    filled.push({ id, type, slug, label })
  return { types: await client.registry(), filled }
}

export function askedView({ types, filled }: Fitting, row: Omit<RequestedField, 'plugin'>): AskedView {
  const { fits, suggested } = fittingFields(row, filled, (type) => types.accepts(row.type, type))
  return {
    id: row.id,
    slug: row.slug,
    label: row.label,
    type: typeView(types, row.type),
    isOneTime: row.one_time,
    isNeeded: row.mandatory_provide || row.mandatory_connected,
    wantsVerified: row.verified,
    fits,
    suggested,
    given: null,
    isPending: false,
    isDeclined: false,
  }
}
