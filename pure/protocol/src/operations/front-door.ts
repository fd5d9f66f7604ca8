import Type from 'typebox'
import { defineOperation } from '../operation.ts'

export const listRegions = defineOperation({
  id: 'front_door.list_regions',
  method: 'GET',
  path: '/api/regions',
  document: 'front-door',
  summary: 'The regions of this installation',
  callers: [],
  rate: null,
  success: {
    status: 200,
    about: 'Every region with its base address and state',
    body: Type.Object({
      total: Type.Integer(),
      items: Type.Array(
        Type.Object({
          code: Type.String(),
          name: Type.String(),
          api_url: Type.String(),
          status: Type.Enum(['ok', 'out_of_order']),
        }),
      ),
    }),
  },
  errors: [],
})

export const readHealth = defineOperation({
  id: 'platform.read_health',
  method: 'GET',
  path: '/api/health',
  document: 'front-door',
  summary: 'Whether this process can serve',
  callers: [],
  rate: null,
  success: {
    status: 200,
    about: 'State, region (null at the front door) and version',
    body: Type.Object({
      status: Type.Enum(['ok', 'writes_paused', 'out_of_order']),
      region: Type.Union([Type.String(), Type.Null()]),
      version: Type.String(),
    }),
  },
  errors: [],
})
