import type { PluginField } from '../forwarder/plugin-field.ts'
import type { PlainInput } from '../values/plain-input.ts'

/** The answer to one field of a step. */
export type FlowAnswer =
  /** `private`: it is derived from something private, and no plugin of another party may get it. */
  | { readonly value: PlainInput; readonly private?: boolean }
  /** Customers only: a field of the own profile, whose value is read and sealed on this side. */
  | { readonly from: string }
  /** A plugin field; it is asked for its outputs again if an input has changed. */
  | { readonly plugin: PluginField }
  /** Stays empty, also where the field has a default. */
  | null

/** Answers by the slug of the field. Fields that are left out get their default, if they have one. */
export type FlowAnswers = Readonly<Record<string, FlowAnswer>>
