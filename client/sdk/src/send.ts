import type { CallOptions } from './options.ts'
import type { Route, RouteInput } from './route.ts'

/** Makes a call with the client's credentials. */
export type Send = <Input extends RouteInput, Answer>(
  route: Route<Input, Answer>,
  input: Input,
  options?: CallOptions,
) => Promise<Answer>
