import type { MigrationSet } from '@sealpost/postgres'

export const customerSideMigrations: MigrationSet = {}
