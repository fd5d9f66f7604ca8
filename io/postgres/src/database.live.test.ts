import { describeDatabase } from '@sealpost/testkit/conformance/postgres'
import { openDatabase } from './database.ts'

describeDatabase(openDatabase)
