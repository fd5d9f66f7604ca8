import { objectsConformance } from '@sealpost/testkit/conformance/objects'
import { readEngines } from '@sealpost/testkit/engines'
import { openObjects } from './objects.ts'

objectsConformance(openObjects, () => ({ ...readEngines().eu.s3, forcePathStyle: true }))
