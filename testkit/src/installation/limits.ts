/**
 * Settings under which no rate limit is reached: every call of a test comes from one address. The limiter still runs, only
 * its buckets are large.
 */
export const UNLIMITED_RATES: Readonly<Record<string, string>> = Object.fromEntries(
  [
    'RATE_TOKEN',
    'RATE_CHANGES',
    'RATE_CONNECTIONS',
    'RATE_DATA',
    'RATE_LOGIN_IP',
    'RATE_LOGIN_ACCOUNT',
    'RATE_RESULT',
  ].map((setting) => [setting, '60000000']),
)
