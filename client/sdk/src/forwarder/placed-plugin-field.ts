import { accept } from '@sealpost/kernel'
import { readOffer } from '../customer/offers.ts'
import type { CustomerSession } from '../customer/session.ts'
import type { CallOptions } from '../options.ts'
import { createClaimPass, createConnectionPass, createOfferPass, readCompanyConnection } from '../routes.generated.ts'
import type { Send } from '../send.ts'
import type { Wire } from '../wire.ts'
import { FilledPluginField } from './filled-plugin-field.ts'
import { PluginCalls } from './plugin-calls.ts'
import type { PluginField } from './plugin-field.ts'
import { passOf, type PluginPass, type ReadPass } from './plugin-pass.ts'

/**
 * The place of a plugin field outside of flows: a request field of a connection, or of a service that the customer is not
 * connected to yet, or a claim of a sign-in app by its name.
 */
export type PluginFieldPlace =
  | { readonly connectionId: string; readonly slug: string }
  | { readonly code: string; readonly slug: string }
  | { readonly clientId: string; readonly claim: string }

/** Gets a pass for the field at this place. */
async function readPlacePass(send: Send, place: PluginFieldPlace, options: CallOptions): Promise<PluginPass> {
  if ('claim' in place) {
    const { clientId, claim } = place
    return passOf(await send(createClaimPass, { body: { client_id: clientId, name: claim } }, options))
  }
  const { slug } = place
  if ('code' in place) return passOf(await send(createOfferPass, { body: { code: place.code, slug } }, options))
  return passOf(await send(createConnectionPass, { params: { id: place.connectionId }, body: { slug } }, options))
}

/** A plugin field outside of flows has no wired inputs: the platform publishes none that requires one. */
export async function openPlacedPluginField(
  { wire, session, acceptsNewKeys }: PlacedCaller,
  place: PluginFieldPlace,
  options: CallOptions,
): Promise<PluginField> {
  const slug = 'claim' in place ? place.claim : place.slug
  const company = await companyOf(session, place, options)
  const readPass: ReadPass = (passOptions) => readPlacePass(session.send, place, passOptions)
  const trust = { pins: session.pins, company, acceptsNewKeys }
  const calls = await PluginCalls.open({ wire, readPass, trust }, options)
  return new FilledPluginField(calls, slug, calls.spec(slug), accept(new Map()))
}

export interface PlacedCaller {
  readonly wire: Wire
  readonly session: CustomerSession
  readonly acceptsNewKeys: boolean
}

/** For the pins. The company of an app is not shown to its users, so the app stands for it. */
async function companyOf(session: CustomerSession, place: PluginFieldPlace, options: CallOptions): Promise<string> {
  if ('claim' in place) return place.clientId
  if ('code' in place) return (await readOffer(session, place.code, options)).company.user_id
  const { company } = await session.send(readCompanyConnection, { params: { id: place.connectionId } }, options)
  return company.user_id
}
