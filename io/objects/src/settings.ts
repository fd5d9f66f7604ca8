import { integerSetting, secretSetting, switchSetting, textSetting, type Secret, type Settings } from '@sealpost/kernel'
import { PATIENCE, type Patience } from './patience.ts'

/** The place of the objects: any server with the S3 API. */
export interface ObjectsPlace {
  readonly endpoint: string
  /**
   * The address under which other regions reach the same server, when it differs: it becomes part of presigned URLs.
   */
  readonly presignEndpoint?: string
  readonly region: string
  readonly bucket: string
  readonly accessKeyId: string
  readonly secretAccessKey: Secret<string>
  /** `endpoint/bucket/key` instead of `bucket.endpoint/key`. */
  readonly forcePathStyle: boolean
}

export const objectsSettings = {
  S3_ENDPOINT: textSetting({ about: 'URL of the S3 API that keeps sealed files' }),
  S3_PRESIGN_ENDPOINT: textSetting({
    about: 'The same API as other regions reach it; empty means S3_ENDPOINT',
    fallback: '',
  }),
  S3_REGION: textSetting({ about: 'Region name that requests are signed for', fallback: 'us-east-1' }),
  S3_BUCKET: textSetting({ about: 'Bucket of this region' }),
  S3_ACCESS_KEY_ID: textSetting({ about: 'Access key of the S3 API' }),
  S3_SECRET_ACCESS_KEY: secretSetting({ about: 'Secret key of the S3 API' }),
  S3_SOCKETS: integerSetting({
    about: 'Connections to the S3 API per process; a quarter of them is never used for downloads',
    fallback: '64',
    min: 4,
  }),
  S3_FORCE_PATH_STYLE: switchSetting({
    about: 'Puts the bucket into the path instead of the host name',
    fallback: '1',
  }),
  BACKUP_DAYS: integerSetting({
    about:
      'Days for which backups of the database are kept. A file that was replaced stays as long, so that a restored database finds it; one that was deleted goes at once',
    fallback: '35',
    max: 3650,
  }),
  S3_WAIT_MS: integerSetting({
    about:
      'Milliseconds that a call waits for a free connection to the S3 API, and then for its answer, retries included, before it is answered 503; uploads get more by their size',
    fallback: String(PATIENCE.answerMs),
    min: 100,
    max: 60_000,
  }),
}

/** The limit of `openObjects` that operators may change. */
export function objectsPatience({ S3_WAIT_MS: answerMs }: { readonly S3_WAIT_MS: number }): Pick<Patience, 'answerMs'> {
  return { answerMs }
}

export function objectsPlace(
  settings: Omit<Settings<typeof objectsSettings>, 'S3_WAIT_MS' | 'BACKUP_DAYS'>,
): ObjectsPlace {
  const { S3_PRESIGN_ENDPOINT: presignEndpoint } = settings
  return {
    endpoint: settings.S3_ENDPOINT,
    ...(presignEndpoint === '' ? {} : { presignEndpoint }),
    region: settings.S3_REGION,
    bucket: settings.S3_BUCKET,
    accessKeyId: settings.S3_ACCESS_KEY_ID,
    secretAccessKey: settings.S3_SECRET_ACCESS_KEY,
    forcePathStyle: settings.S3_FORCE_PATH_STYLE,
  }
}
