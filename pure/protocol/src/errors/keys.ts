import { area } from './entry.ts'

/** Public keys by share code. */
export const keysErrors = area({
  'keys.not_found': {
    status: 404,
    sentence: 'There is no public key for this code',
    remedy: 'Check the code; a service is addressed as `COMPANYCODE/SERVICECODE`.',
  },
})
