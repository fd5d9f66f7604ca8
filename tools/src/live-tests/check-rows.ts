import { checkRows } from '@sealpost/postgres'

checkRows()
