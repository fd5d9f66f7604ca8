import { createServiceKey } from '@sealpost/vault'
import { isKnown } from '../callers.ts'
import type { Examples, Making, Parts } from '../example.ts'
import { requireAs, type WorldOwner } from '../owners.ts'

/** A PNG of one pixel. */
const PHOTO =
  'data:image/png;base64,iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg=='

export const serviceExamples: Examples = {
  'services.create': { make: async () => ({ body: await serviceBody() }) },
  'services.read': { make: onSpare() },
  'services.change': { make: onSpare({ name: 'Spare' }) },
  // A new service each time, which no delegate has access to; deletion by delegates is tested in the module.
  'services.delete': {
    make: async ({ owner }) => ({ params: { id: await freshService(owner) } }),
    answers: ({ caller }) =>
      isKnown(caller) && caller.is.includes('admin') ? { status: 404, key: 'services.not_found' } : undefined,
  },
  'services.change_share_code': { make: onSpare({ share_code: 'SPARE' }) },
  'services.change_admin_email': { make: onSpare({ admin_email: 'spare@company.example' }) },
  'services.change_number_matching': { make: onSpare({ number_matching: true }) },
  // False: the callers have no second factor, and the next cell must reach the service.
  'services.change_require_2fa': { make: onSpare({ require_2fa: false }) },
  'services.read_private_key': { make: onSpare() },
  'services.read_request_fields': { make: onSpare() },
  'services.publish_request_fields': {
    make: async ({ owner }) => ({ params: spare(owner), body: await publication(owner, spare(owner).id) }),
  },
  'company_data.publish_request_fields': {
    make: async ({ owner }) => ({ body: await publication(owner, owner.serviceId ?? '') }),
  },
  'services.read_share_fields': { make: onSpare() },
  'services.change_share_fields': {
    async make({ owner }) {
      const { config_token } = await requireAs(owner, 'GET', `/api/services/${spare(owner).id}/share-fields`)
      return { params: spare(owner), body: { config_token, fields: [] } }
    },
  },
  'services.add_share_photo': { make: withPhoto },
  'services.remove_share_photo': { make: withPhoto },
  'services.list_logs': { make: onSpare() },
}

function onSpare(body?: Parts['body']): (making: Making) => Parts {
  return ({ owner }) => ({ params: spare(owner), ...(body === undefined ? {} : { body }) })
}

function spare(owner: WorldOwner): { readonly id: string } {
  return { id: owner.spareServiceId ?? '' }
}

async function serviceBody(): Promise<Readonly<Record<string, unknown>>> {
  const { publicKey, encryptedPrivateKey } = await createServiceKey()
  return {
    name: 'Made for a cell',
    admin_email: 'cell@company.example',
    public_key: publicKey,
    encrypted_private_key: encryptedPrivateKey,
  }
}

async function freshService(owner: WorldOwner): Promise<string> {
  return String((await requireAs(owner, 'POST', '/api/services', await serviceBody()))['id'])
}

/** The published rows: publishing them again changes nothing. */
async function publication(owner: WorldOwner, serviceId: string): Promise<Readonly<Record<string, unknown>>> {
  return requireAs(owner, 'GET', `/api/services/${serviceId}/request-fields`)
}

/** On the spare service of the company, which may have only a few photos. */
async function withPhoto({ owner }: Making): Promise<Parts> {
  const { items } = await requireAs(owner, 'GET', '/api/photos')
  // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- the strict contract has checked the answer
  const [known] = items as readonly { readonly id: string }[]
  const id = known?.id ?? String((await requireAs(owner, 'POST', '/api/photos', { file: PHOTO }))['id'])
  return { params: spare(owner), body: { photo_id: id } }
}
