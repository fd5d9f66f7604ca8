import { formatInstant, parseUuid } from '@sealpost/kernel'
import { confirmVerification as confirmRoute, dropVerification, refuse, startVerification } from '@sealpost/protocol'
import type { BindRoute } from '../../../bind.ts'
import { locateField, locateValue } from '../locate.ts'
import type { VaultNeeds } from '../needs.ts'
import { showValue } from '../show.ts'
import { findVerification } from '../store/verifications.ts'
import { beginVerification, confirmVerification, loseAttestation } from './operations.ts'

export function bindVerificationRoutes(bind: BindRoute, needs: VaultNeeds): void {
  bind({
    operation: startVerification,
    locate: ({ caller, params }) => locateField(needs, caller.accountId, params.fieldId),
    async handle({ caller, located, body }) {
      const begun = await beginVerification(needs, caller.accountId, located, body.provider)
      return {
        verification_id: begun.id,
        provider: begun.provider,
        challenge: begun.challenge,
        provider_url: begun.providerUrl,
        expires_at: formatInstant(begun.expiresAt),
      }
    },
  })
  bind({
    operation: confirmRoute,
    async locate({ caller, params }) {
      const { accountId, fieldId } = await locateValue(needs, caller.accountId, params.fieldId)
      const id = parseUuid(params.id)
      const name = id === null ? null : { accountId, fieldId, id }
      const found = name === null ? null : await needs.database.read((read) => findVerification(read, name))
      if (name === null || found === null) throw refuse('request.not_found')
      return name
    },
    async handle({ located, body }) {
      const proof = { code: body.code, statement: body.statement }
      return showValue(await confirmVerification(needs, { ...located, proof }), needs.clock.now())
    },
  })
  bind({
    operation: dropVerification,
    locate: ({ caller, params }) => locateValue(needs, caller.accountId, params.fieldId),
    async handle({ located }): Promise<undefined> {
      await loseAttestation(needs, located.accountId, located.fieldId)
    },
  })
}
