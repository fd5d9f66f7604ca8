import Type from 'typebox'
import { defineOperation } from '../operation.ts'
import { Uuid } from '../wire/scalars.ts'

export const whoami = defineOperation({
  id: 'company_data.whoami',
  method: 'GET',
  path: '/api/company-data/whoami',
  document: 'company-data',
  summary: 'Who this client is',
  description: 'The company user and the service that the access token was issued for.',
  callers: ['service_client'],
  rate: 'data',
  success: {
    status: 200,
    about: 'The service behind the token',
    body: Type.Object({
      company_user_id: Uuid,
      service_id: Uuid,
    }),
  },
  errors: [],
})
