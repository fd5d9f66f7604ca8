import { parseUuid } from '@sealpost/kernel'
import { confirmVerification as confirmRoute, removeVerification, refuse, startVerification } from '@sealpost/protocol'
import type { BindRoute } from '../../../platform/bind-route.ts'
import type { VaultContext } from '../context.ts'
import { locateField, locateValue } from '../operations/read-value.ts'
import { begunVerificationToWire, valueToWire } from '../wire.ts'
import { beginVerification, confirmVerification, withdrawAttestation } from './operations/verifications.ts'
import { findVerification } from './store/verifications.ts'

export function bindVerificationRoutes(bind: BindRoute, vault: VaultContext): void {
  bind({
    operation: startVerification,
    locate: ({ caller, params }) => locateField(vault, caller.accountId, params.fieldId),
    handle: async ({ caller, located, body }) =>
      begunVerificationToWire(
        await beginVerification(vault, caller.accountId, located, {
          provider: body.provider,
          phone: body.phone ?? null,
        }),
      ),
  })
  bind({
    operation: confirmRoute,
    async locate({ caller, params }) {
      const { accountId, fieldId } = await locateValue(vault, caller.accountId, params.fieldId)
      const id = parseUuid(params.id)
      const name = id === null ? null : { accountId, fieldId, id }
      const found = name === null ? null : await vault.database.read((read) => findVerification(read, name))
      if (name === null || found === null) throw refuse('request.not_found')
      return name
    },
    async handle({ located, body }) {
      const proof = { code: body.code, statement: body.statement }
      return valueToWire(await confirmVerification(vault, { ...located, proof }), vault.clock.now())
    },
  })
  bind({
    operation: removeVerification,
    locate: ({ caller, params }) => locateValue(vault, caller.accountId, params.fieldId),
    async handle({ located }): Promise<undefined> {
      await withdrawAttestation(vault, located.accountId, located.fieldId)
    },
  })
}
