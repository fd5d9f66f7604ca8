/** Between two looks at the same thing. */
export type Pause = (ms: number) => Promise<void>
