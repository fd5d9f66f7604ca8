import { accept } from '@sealpost/kernel'
import { openWire } from '../caller.ts'
import type { ClientOptions } from '../options.ts'
import { FilledPluginField } from './filled-plugin-field.ts'
import { PluginCalls } from './plugin-calls.ts'
import type { PluginField } from './plugin-field.ts'
import type { PluginPass } from './plugin-pass.ts'

export { PluginError, type PluginInputRefusal, type PluginRefusal } from './plugin-error.ts'
export type { PluginAnswer, PluginField, PluginOption, PluginOptions } from './plugin-field.ts'
export type { PluginBlock, PluginInput, PluginOutput, PluginPass, PluginSnapshot, PluginSpec } from './plugin-pass.ts'

/** A plugin field that is filled with a pass alone, such as in a page whose server has the login. */
export interface PassedField {
  /** Called at the start, and once more when the forwarder refuses the pass. */
  readonly readPass: () => Promise<PluginPass>
  readonly slug: string
  /** Values of the inputs of the plugin by key; none unless told. */
  readonly inputs?: Readonly<Record<string, string | number | boolean>>
}

/** `@sealpost/sdk/forwarder`: calls plugins with a pass, without a login and without keys of an account. */
export async function openPluginField(
  { readPass, slug, inputs = {} }: PassedField,
  options: Pick<ClientOptions, 'fetch' | 'log' | 'requestTimeoutMs' | 'userAgent'> = {},
): Promise<PluginField> {
  const calls = await PluginCalls.open(openWire(options), () => readPass(), {})
  return new FilledPluginField(calls, slug, accept(new Map(Object.entries(inputs))))
}
