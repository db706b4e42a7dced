// The ways a turn can end other than well, and the two ways parameters can be wrong.

import { ErrorCode } from './jsonrpc.mjs';

/** The turn was cancelled, or the process is shutting down. */
export class Cancelled extends Error {}

/** The turn ran out of steps. */
export class MaxSteps extends Error {
  constructor(steps) {
    super(`max steps reached: ${steps}`);
    this.steps = steps;
  }
}

/** The turn failed: the prompt is answered with this error. */
export class TurnFailure extends Error {
  constructor(code, message = USUAL_MESSAGES[code] ?? 'RuntimeError: something went wrong') {
    super(message);
    this.code = code;
    this.type = TYPES[code] ?? 'RuntimeError';
  }
}

/** Parameters that do not fit the method: error -32602. */
export class InvalidParams extends Error {}

/** A content part of an unknown type: the real agent does not survive it, so neither does this one. */
export class UnknownPart extends Error {
  constructor(type) {
    super(`'${type}'`);
  }
}

const USUAL_MESSAGES = {
  [ErrorCode.llmNotSet]: 'LLM is not set',
  [ErrorCode.llmNotSupported]: "LLM model 'sample' does not support required capability: image_in.",
  [ErrorCode.provider]: "Error code: 500 - {'error': {'message': 'upstream down', 'type': 'simulated'}}",
  [ErrorCode.authExpired]:
    'Authentication failed. Your login session may have expired. Please run "/login" to sign in again.',
  [ErrorCode.internal]: "MCPRuntimeError: Failed to connect MCP servers: {'ghost': RuntimeError('no such server')}",
};

const TYPES = {
  [ErrorCode.provider]: 'APIStatusError',
  [ErrorCode.authExpired]: 'APIStatusError',
  [ErrorCode.internal]: 'MCPRuntimeError',
};
