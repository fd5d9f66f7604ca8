import Type from 'typebox'
import { defineAsk } from '../ask.ts'
import { passKinds } from '../wire/plugin-pass.ts'
import { TurnPass } from '../wire/plugin.ts'
import { Uuid } from '../wire/scalars.ts'

/**
 * A region asks the front door, which alone signs, for a pass. The front door adds the region that asks: a pass leads
 * the forwarder to the plugins of that region and to no others.
 */
export const signPassAsk = defineAsk({
  command: 'directory.sign_pass',
  idempotency: 'none',
  body: Type.Object({
    kind: Type.Enum([...passKinds]),
    /** The company whose plugins these are. */
    company_id: Uuid,
    plugin_ids: Type.Array(Uuid),
    /** Of a flow pass: the run, its step and the party whose turn it is. */
    turn: Type.Union([Type.Object({ run_id: Uuid, node: Type.String(), party: Type.String() }), Type.Null()]),
  }),
  reply: Type.Object({ pass: Type.String(), forwarder_url: Type.String() }),
})

/**
 * A pass to the plugin of a request row; null when the service asks such customers for no such row. It is a credential, so
 * it is not stored.
 */
export const passForRowAsk = defineAsk({
  command: 'connections.plugin_pass',
  idempotency: 'none',
  body: Type.Object({
    company_id: Uuid,
    service_id: Uuid,
    slug: Type.String(),
    customer_type: Type.Enum(['person', 'company']),
  }),
  reply: Type.Object({ pass: Type.Union([Type.Null(), TurnPass]) }),
})

/** A pass to the plugin of a claim; null for an unknown app and for a claim without a plugin. Asked by other regions. */
export const passForClaimAsk = defineAsk({
  command: 'grants.plugin_pass',
  idempotency: 'none',
  body: Type.Object({ client_id: Type.String(), name: Type.String() }),
  reply: Type.Object({ pass: Type.Union([Type.Null(), TurnPass]) }),
})
