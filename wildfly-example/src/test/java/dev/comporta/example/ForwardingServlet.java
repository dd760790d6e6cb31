package dev.comporta.example;

import jakarta.servlet.RequestDispatcher;
import jakarta.servlet.ServletException;
import jakarta.servlet.ServletOutputStream;
import jakarta.servlet.WriteListener;
import jakarta.servlet.annotation.WebServlet;
import jakarta.servlet.http.HttpServlet;
import jakarta.servlet.http.HttpServletRequest;
import jakarta.servlet.http.HttpServletResponse;
import jakarta.servlet.http.HttpServletResponseWrapper;
import java.io.IOException;
import java.io.PrintWriter;
import java.io.Writer;

/** Forwards one request twice; what the first answers is thrown away. */
@WebServlet("/from")
public class ForwardingServlet extends HttpServlet {

  private static final long serialVersionUID = 1L;

  @Override
  protected void doGet(HttpServletRequest request, HttpServletResponse response)
      throws ServletException, IOException {
    RequestDispatcher to = request.getRequestDispatcher("/forwards/to");
    to.forward(request, new Discarded(response));
    to.forward(request, response);
  }

  private static final class Discarded extends HttpServletResponseWrapper {

    Discarded(HttpServletResponse response) {
      super(response);
    }

    @Override
    public ServletOutputStream getOutputStream() {
      return new ServletOutputStream() {
        @Override
        public boolean isReady() {
          return true;
        }

        @Override
        public void setWriteListener(WriteListener listener) {
          throw new IllegalStateException("nothing is written here");
        }

        @Override
        public void write(int discarded) {
          // Nobody reads it.
        }
      };
    }

    @Override
    public PrintWriter getWriter() {
      return new PrintWriter(Writer.nullWriter());
    }

    @Override
    public void setHeader(String name, String value) {
      // Nobody reads it.
    }

    @Override
    public void addHeader(String name, String value) {
      // Nobody reads it.
    }

    @Override
    public void flushBuffer() {
      // There is nothing.
    }
  }
}
