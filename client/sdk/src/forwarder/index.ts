import { accept } from '@sealpost/kernel'
import { openWire } from '../caller.ts'
import { type KeyPins, requirePins } from '../keys/pins.ts'
import type { ClientOptions } from '../options.ts'
import { FilledPluginField } from './filled-plugin-field.ts'
import { PluginCalls } from './plugin-calls.ts'
import type { PluginField } from './plugin-field.ts'
import type { PluginPass } from './plugin-pass.ts'

export { type KeyPins, memoryPins } from '../keys/pins.ts'
export { PluginError, type PluginInputRefusal, type PluginRefusal } from './plugin-error.ts'
export type { PluginKeyChange } from './plugin-trust.ts'
export type { PluginAnswer, PluginField, PluginOption, PluginOptions } from './plugin-field.ts'
export type { PluginBlock, PluginInput, PluginOutput, PluginPass, PluginSnapshot, PluginSpec } from './plugin-pass.ts'

/** A plugin field that is filled with a pass alone, such as in a page whose server has the login. */
export interface PassedField {
  /** Called at the start, and once more when the forwarder refuses the pass. */
  readonly readPass: () => Promise<PluginPass>
  readonly slug: string
  /** The company whose plugin it is, by its id or share code: the name under which the key is remembered. */
  readonly company: string
  /** Remembers the keys of plugins across visits, so that no server can exchange them; `memoryPins()` for tests. */
  readonly pins: KeyPins
  /** Takes every new key of the plugin, also one for which the known key does not vouch. Default false. */
  readonly acceptNewPluginKeys?: boolean
  /** Values of the inputs of the plugin by key; none unless told. */
  readonly inputs?: Readonly<Record<string, string | number | boolean>>
}

/** `@sealpost/sdk/forwarder`: calls plugins with a pass, without a login and without keys of an account. */
export async function openPluginField(
  { readPass, slug, company, pins, acceptNewPluginKeys = false, inputs = {} }: PassedField,
  options: Pick<ClientOptions, 'fetch' | 'log' | 'requestTimeoutMs' | 'userAgent'> = {},
): Promise<PluginField> {
  const trust = { pins: requirePins(pins), company, acceptsNewKeys: acceptNewPluginKeys }
  const calls = await PluginCalls.open({ wire: openWire(options), readPass: () => readPass(), trust }, {})
  return new FilledPluginField(calls, slug, calls.spec(slug), accept(new Map(Object.entries(inputs))))
}
