import Type from 'typebox'
import { Uuid } from '../wire/scalars.ts'
import { area } from './entry.ts'

/** Values of profile fields. */
export const contactDataErrors = area({
  'contact_data.encryption_required': {
    status: 400,
    sentence: 'The value is not the text of a wrapper: a sealed value travels as text',
    remedy: 'Seal the value to the key of its reader and send the wrapper `{_enc, k, iv, d}` as a JSON string.',
  },
  'contact_data.shares_incomplete': {
    status: 400,
    sentence: 'The new value was not sealed for every service that follows this field',
    remedy: 'Add one share for each entry of `missing` and send the whole edit again.',
    details: Type.Object({ missing: Type.Array(Type.Object({ connection_id: Uuid, slug: Type.String() })) }),
  },
})
