import Type from 'typebox'
import { defineOperation } from '../operation.ts'
import { Uuid } from '../wire/scalars.ts'

const serviceId = Type.Object({ id: Type.String({ maxLength: 255, description: 'The id of the service.' }) })
const managers = ['portal', 'delegate', 'account_client'] as const
const MOST_FIELDS = 50

const ShareConfig = Type.Object(
  {
    config_token: Type.String({
      description: 'Identifies the shown state; send it back with the next change of the fields.',
    }),
    fields: Type.Array(
      Type.Object({ field_id: Uuid, slug: Type.String(), label: Type.String(), type: Type.String() }),
      { description: 'In the order in which customers see them; a field without a value is not shown to them.' },
    ),
    photo_ids: Type.Array(Uuid),
  },
  { title: 'ShareConfig' },
)
const PhotoGiven = Type.Object({ photo_id: Type.String({ format: 'uuid' }) })

export const readShareFields = defineOperation({
  id: 'services.read_share_fields',
  method: 'GET',
  path: '/api/services/{id}/share-fields',
  document: 'account',
  summary: 'The business card that the customers of a service see',
  callers: managers,
  delegateRole: 'operator',
  rate: 'data',
  params: serviceId,
  success: { status: 200, about: 'The business card', body: ShareConfig },
  errors: ['services.not_found', 'services.second_factor_required'],
})

export const changeShareFields = defineOperation({
  id: 'services.change_share_fields',
  method: 'PUT',
  path: '/api/services/{id}/share-fields',
  document: 'account',
  summary: 'Choose the fields of the business card of a service',
  description:
    'Replaces the list. With an outdated `config_token` nothing changes. Customers see the current values, ' +
    'also after they change. A card has at most 64 KiB: a call that makes it larger, also one that sets a value which it ' +
    'shows, is refused.',
  callers: managers,
  rate: 'data',
  params: serviceId,
  body: Type.Object({
    config_token: Type.String(),
    fields: Type.Array(Type.Object({ field_id: Type.String({ format: 'uuid' }) }), { maxItems: MOST_FIELDS }),
  }),
  success: { status: 200, about: 'The business card as it is now', body: ShareConfig },
  errors: ['services.not_found', 'services.second_factor_required', 'services.config_conflict'],
})

export const addSharePhoto = defineOperation({
  id: 'services.add_share_photo',
  method: 'POST',
  path: '/api/services/{id}/share-photos',
  document: 'account',
  summary: 'Show a photo of the company to the customers of a service',
  description: 'At most 10. One that is shown already stays.',
  callers: managers,
  rate: 'data',
  params: serviceId,
  body: PhotoGiven,
  creates: true,
  success: { status: 201, about: 'The business card as it is now', body: ShareConfig },
  errors: ['services.not_found', 'services.second_factor_required'],
})

export const removeSharePhoto = defineOperation({
  id: 'services.remove_share_photo',
  method: 'DELETE',
  path: '/api/services/{id}/share-photos',
  document: 'account',
  summary: 'Stop showing a photo to the customers of a service',
  description: 'The photo itself stays. A photo that is not shown is no error.',
  callers: managers,
  rate: 'data',
  params: serviceId,
  body: PhotoGiven,
  success: { status: 204, about: 'The photo is not shown' },
  errors: ['services.not_found', 'services.second_factor_required'],
})
