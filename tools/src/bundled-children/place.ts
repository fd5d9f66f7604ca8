import { join } from 'node:path'
import { pathToFileURL } from 'node:url'
import { bundledPrograms } from '@sealpost/testkit/bundles'

/** A file in the bundle of a region. */
export const place = pathToFileURL(join(await bundledPrograms(), 'region/main.js')).href
