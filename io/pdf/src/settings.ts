import { customSetting, secretSetting, type Settings, switchSetting, textSetting } from '@sealpost/kernel'

const OR_A_FILE = 'in PEM, or the path of a file with it'

/** The seal of signed PDFs: see `openSealer`. */
export const sealSettings = {
  SEAL_CERT: textSetting({
    about:
      `The certificate that seals signed PDFs, P-256 or RSA of at least 3072 bits, then those that lead to its root; ${OR_A_FILE}. ` +
      'Without it no PDF contract can be completed.',
    fallback: '',
  }),
  SEAL_KEY: secretSetting({ about: `The private key of \`SEAL_CERT\`, not encrypted, ${OR_A_FILE}.`, fallback: '' }),
  SEAL_SIGNER: textSetting({
    about: 'Instead of `SEAL_KEY`: the path of a Unix socket behind which another process signs.',
    fallback: '',
  }),
  TSA_URL: customSetting(
    {
      about:
        'A time-stamping authority (RFC 3161). With it every seal has a time-stamp, and none is made while it is away. One that ' +
        'is not public is listed in `EGRESS_INTERNAL_HOSTS`.',
      fallback: '',
    },
    'an http or https address',
    readUrl,
  ),
  TSA_CERT: textSetting({
    about: `The certificates that lead to the time-stamping authority; ${OR_A_FILE}. Required with \`TSA_URL\`.`,
    fallback: '',
  }),
  SEAL_REVOCATION: switchSetting({
    about:
      'Seals carry the revocation lists of their certificates, fetched where the certificates of `SEAL_CERT` and `TSA_CERT` say. ' +
      'While a list cannot be fetched, seals are made without it. Addresses that are not public are listed in `EGRESS_INTERNAL_HOSTS`.',
    fallback: '1',
  }),
}

export type SealSettings = Settings<typeof sealSettings>

function readUrl(text: string): string {
  if (text === '') return text
  const { protocol, username } = new URL(text)
  if (protocol !== 'http:' && protocol !== 'https:') throw new Error('it must begin with http:// or https://')
  if (username !== '') throw new Error('leave out the user name')
  return text
}
