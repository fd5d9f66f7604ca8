/** The names of each setting in the file and in the environment, which takes precedence. */
export const settings = {
  front_door: { variable: 'SEALPOST_FRONT_DOOR', about: 'Address of the front door' },
  client_id: { variable: 'SEALPOST_CLIENT_ID', about: 'Data client svc_… of the service' },
  client_secret: { variable: 'SEALPOST_CLIENT_SECRET', about: 'Secret of the data client' },
  client_secret_file: { variable: 'SEALPOST_CLIENT_SECRET_FILE', about: 'File that contains it' },
  key_file: { variable: 'SEALPOST_KEY_FILE', about: 'Encrypted private key of the service (.pem)' },
  passphrase: { variable: 'SEALPOST_PASSPHRASE', about: 'Passphrase of the key file' },
  passphrase_file: { variable: 'SEALPOST_PASSPHRASE_FILE', about: 'File that contains it' },
  account_client_id: { variable: 'SEALPOST_ACCOUNT_CLIENT_ID', about: 'Account client acct_…' },
  account_client_secret: { variable: 'SEALPOST_ACCOUNT_CLIENT_SECRET', about: 'Secret of the account client' },
  account_client_secret_file: { variable: 'SEALPOST_ACCOUNT_CLIENT_SECRET_FILE', about: 'File that contains it' },
  pins_folder: {
    variable: 'SEALPOST_PINS_FOLDER',
    about: 'Folder that remembers keys and senders; ~/.sealpost/pins by default',
  },
  webhook_secret: { variable: 'SEALPOST_WEBHOOK_SECRET', about: 'Secret with which listen and trigger sign' },
  webhook_secret_file: { variable: 'SEALPOST_WEBHOOK_SECRET_FILE', about: 'File that contains it' },
} as const satisfies Readonly<Record<string, { readonly variable: string; readonly about: string }>>

export type Setting = keyof typeof settings

export type Settings = (name: Setting) => string | null
