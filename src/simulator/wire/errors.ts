import type { ErrorShape } from '../infra/faults.js';

/** Responses of the service, and the shapes of its errors. */
export interface Answer {
  status: number;
  /** JSON unless `contentType` says otherwise; may be empty. */
  body: string;
  contentType?: string;
}

export function json(status: number, body: unknown): Answer {
  return { status, body: JSON.stringify(body) };
}

const ERROR_NAMES: Record<number, string> = {
  400: 'BadRequestError',
  401: 'UnauthorizedError',
  403: 'ForbiddenError',
  404: 'NotFoundError',
  422: 'UnprocessableEntityError',
  429: 'TooManyRequestsError',
  500: 'InternalServerError',
  502: 'BadGatewayError',
  503: 'ServiceUnavailableError',
  504: 'GatewayTimeoutError',
};

/** The flat pattern. */
export function flatError(status: number, message: string, extra: { code?: string; details?: unknown } = {}): Answer {
  return json(status, { error: { statusCode: status, name: nameOf(status), message, ...extra } });
}

/** The nested pattern, used by deferred tokenisation: the code is deep inside, and the message is generic. */
export function nestedError(errorCode: string, reason: string, errorGuid: string): Answer {
  const inner = { errorCode, reason, httpStatus: '400', errorGuid };
  return json(400, {
    error: {
      statusCode: 400,
      name: nameOf(400),
      message: 'The request could not be processed by the gateway.',
      details: { body: { error: inner } },
    },
  });
}

export interface Problem {
  path: string;
  code: string;
  message: string;
}

export function invalidBody(problems: readonly Problem[]): Answer {
  return flatError(422, 'The request body is invalid. See error object `details` property for more info.', {
    code: 'VALIDATION_FAILED',
    details: problems.map((problem) => ({ ...problem, info: {} })),
  });
}

export const FORBIDDEN = flatError(403, 'No valid API key in header');
export const NOT_FOUND = flatError(404, 'Not found');
export const TOO_MANY = flatError(429, 'Too many requests, please try again later');
export const UNAUTHORISED = flatError(401, 'The reference belongs to another merchant');

export const TERMINAL_ERRORS = {
  1001: 'Device busy: another operation is in progress',
  1002: 'No device listening',
  1003: 'The operation cannot be stopped at this step',
  1004: 'Authorization not available for this device',
  1005: 'No transaction in progress',
} as const;

export type TerminalErrorCode = keyof typeof TERMINAL_ERRORS;

/** A terminal error, in one of the shapes that deployments use. */
export function terminalError(code: TerminalErrorCode, shape: ErrorShape): Answer {
  const inner = { error: code, message: TERMINAL_ERRORS[code] };
  switch (shape) {
    case 'flat':
      return json(400, inner);
    case 'nested':
      return json(400, { error: { statusCode: 400, name: nameOf(400), message: inner } });
    case 'text':
      return flatError(400, JSON.stringify(inner));
    case 'status':
      return byStatus(code) ?? json(400, inner);
  }
}

/** Some deployments report busy and unconnected by the HTTP status alone. */
function byStatus(code: TerminalErrorCode): Answer | undefined {
  if (code === 1001)
    return json(409, { error: { statusCode: 409, name: 'ConflictError', message: 'Terminal is busy' } });
  if (code === 1002) return flatError(404, 'Terminal is not connected');
  return undefined;
}

function nameOf(status: number): string {
  return ERROR_NAMES[status] ?? 'Error';
}
