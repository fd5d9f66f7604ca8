import { secretSetting, switchSetting, textSetting, type Secret, type Settings } from '@sealpost/kernel'

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
  S3_FORCE_PATH_STYLE: switchSetting({
    about: 'Puts the bucket into the path instead of the host name',
    fallback: '1',
  }),
}

export function objectsPlace(settings: Settings<typeof objectsSettings>): ObjectsPlace {
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
