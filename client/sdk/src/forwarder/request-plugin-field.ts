import { accept } from '@sealpost/kernel'
import type { CallOptions } from '../options.ts'
import type { Wire } from '../wire.ts'
import { FilledPluginField } from './filled-plugin-field.ts'
import { PluginCalls } from './plugin-calls.ts'
import type { PluginField } from './plugin-field.ts'
import type { ReadPass } from './plugin-pass.ts'

/** The place of a request field: of a connection, or of a service that the customer is not connected to yet. */
export type RequestFieldPlace =
  | { readonly connectionId: string; readonly slug: string }
  | { readonly code: string; readonly slug: string }

/** A plugin field outside of flows has no wired inputs: the platform publishes none that requires one. */
export async function openRequestPluginField(
  wire: Wire,
  readPass: ReadPass,
  slug: string,
  options: CallOptions,
): Promise<PluginField> {
  return new FilledPluginField(await PluginCalls.open(wire, readPass, options), slug, accept(new Map()))
}
