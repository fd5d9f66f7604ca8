/** The folders of the root that contain tests. */
export const TEST_FOLDERS = ['pure', 'io', 'client', 'apps', 'testkit', 'tools', 'e2e', 'bench', 'chaos'] as const

export const NOT_TESTS = ['**/node_modules/**', '**/fixtures/**', '**/dist/**'] as const
