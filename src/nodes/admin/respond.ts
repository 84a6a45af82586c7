import type { Request, RequestHandler, Response } from 'express';
import { PaymentError } from '../../core/base/errors.js';

/** Undefined is answered by 404. */
export type Answer = (request: Request) => Promise<object | undefined>;

/** What was asked for is being done, or has been. */
export class Conflict extends Error {
  /** @param code which text of the sidebar says it */
  constructor(
    readonly code: string,
    message: string,
  ) {
    super(message);
  }
}

/** An error of ours is text that may be shown: it was redacted when it was made. */
export function answering(answer: Answer): RequestHandler {
  return (request: Request, response: Response): void => {
    response.set('Cache-Control', 'no-store');
    answer(request).then(
      (body) => {
        if (body === undefined) response.status(404).json({ error: 'not found' });
        else response.json(body);
      },
      (error: unknown) => {
        if (error instanceof Conflict || error instanceof PaymentError) {
          const status = error instanceof Conflict ? 409 : 422;
          response.status(status).json({ error: error.message, code: error.code });
        } else response.status(500).json({ error: 'unexpected' });
      },
    );
  };
}
