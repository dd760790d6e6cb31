package dev.comporta.client;

import jakarta.ws.rs.BadRequestException;
import jakarta.ws.rs.ClientErrorException;
import jakarta.ws.rs.ForbiddenException;
import jakarta.ws.rs.InternalServerErrorException;
import jakarta.ws.rs.NotAcceptableException;
import jakarta.ws.rs.NotAllowedException;
import jakarta.ws.rs.NotAuthorizedException;
import jakarta.ws.rs.NotFoundException;
import jakarta.ws.rs.NotSupportedException;
import jakarta.ws.rs.ProcessingException;
import jakarta.ws.rs.RedirectionException;
import jakarta.ws.rs.ServerErrorException;
import jakarta.ws.rs.ServiceUnavailableException;
import jakarta.ws.rs.WebApplicationException;
import jakarta.ws.rs.client.ResponseProcessingException;
import jakarta.ws.rs.core.GenericType;
import jakarta.ws.rs.core.Response;
import org.jspecify.annotations.Nullable;

/**
 * Makes of a response what a typed call returns or throws, as the contract of {@link
 * jakarta.ws.rs.client.SyncInvoker} has it.
 */
final class Results {

  private Results() {}

  /** The entity, which is null where the response has none; or the response itself. */
  static @Nullable Object of(Response response, GenericType<?> type) {
    if (type.getRawType() == Response.class) {
      return response;
    }
    if (response.getStatusInfo().getFamily() != Response.Status.Family.SUCCESSFUL) {
      throw failure(response);
    }
    try {
      return response.readEntity(type);
    } catch (ResponseProcessingException alreadyTold) {
      throw alreadyTold;
    } catch (ProcessingException unreadable) {
      throw new ResponseProcessingException(response, unreadable);
    }
  }

  private static WebApplicationException failure(Response response) {
    // The exception outlives the connection, and its reader wants the text.
    response.bufferEntity();
    return switch (response.getStatus()) {
      case 400 -> new BadRequestException(response);
      case 401 -> new NotAuthorizedException(response);
      case 403 -> new ForbiddenException(response);
      case 404 -> new NotFoundException(response);
      case 405 -> new NotAllowedException(response);
      case 406 -> new NotAcceptableException(response);
      case 415 -> new NotSupportedException(response);
      case 500 -> new InternalServerErrorException(response);
      case 503 -> new ServiceUnavailableException(response);
      default -> byFamily(response);
    };
  }

  private static WebApplicationException byFamily(Response response) {
    return switch (response.getStatusInfo().getFamily()) {
      case REDIRECTION -> new RedirectionException(response);
      case CLIENT_ERROR -> new ClientErrorException(response);
      case SERVER_ERROR -> new ServerErrorException(response);
      default -> new WebApplicationException(response);
    };
  }
}
